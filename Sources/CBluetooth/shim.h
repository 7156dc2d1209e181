// The numbers and structures of the kernel's Bluetooth sockets. Nothing of the library that these
// headers come with is linked.
#include <sys/socket.h>
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
