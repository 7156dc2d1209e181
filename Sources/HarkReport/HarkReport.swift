// The first source file of this target replaces this line.
