#include <pcap/pcap.h>
#include <pcap/usb.h>
