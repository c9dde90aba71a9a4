"""`python -m clc` is the command `clc`."""

import sys

from ._command import main

sys.argv[0] = "clc"
sys.exit(main())
