// The C library, for every module that needs POSIX: no other imports it, so that what only Linux
// has (inotify, the priority of one thread) stands in this folder, behind one function each.
@_exported import Glibc
