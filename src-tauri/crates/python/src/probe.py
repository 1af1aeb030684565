# Says what an interpreter is and which files it needs, so that it can be shown those and no others.
import json
import os
import platform
import re
import struct
import sys
import sysconfig

missing = []
for name in ("ast", "ctypes", "decimal", "hashlib", "json", "mmap", "zlib", "zoneinfo"):
    try:
        __import__(name)
    except ImportError:
        missing.append(name)
for name in ("bz2", "lzma", "sqlite3", "ssl", "uuid"):
    try:
        __import__(name)
    except ImportError:
        pass

exe = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
standard = {os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
readable = set(standard)
try:
    with open("/proc/self/maps") as maps:
        files = {line.split(None, 5)[5].strip() for line in maps if line.count("/")}
    for file in files:
        if ".so" in os.path.basename(file) and not any(file.startswith(folder + "/") for folder in standard):
            readable.add(os.path.dirname(os.path.realpath(file)))
    with open(exe, "rb") as program:
        linker = re.search(rb"/[\w./+-]*/ld-[\w.-]*\.so\.\d+", program.read(65536))
    if linker:
        readable.add(linker.group().decode())
except OSError:
    pass
# Where libraries are to be found, and the world's time zones.
readable.update(path for path in ("/etc/ld.so.cache", "/usr/share/zoneinfo") if os.path.exists(path))
print(json.dumps({
    "exe": exe,
    "version": list(sys.version_info[:3]),
    "kind": platform.python_implementation(),
    "bits": 8 * struct.calcsize("P"),
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "missing": missing,
    "readable": sorted(readable),
}))
