// The C library, for every module that needs POSIX. No other module imports it, so that features of
// Linux alone (inotify, the priority of one thread) are in this folder, behind one function each.
@_exported import Glibc
