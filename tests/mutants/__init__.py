"""Tests of the tests: small faults are put into a copy of the program, one by one, and the tests have to notice.

python -m tests.mutants                                  50 faults in the gate (some minutes)
python -m tests.mutants --seed 2 --count 20 "metona_tk/operations/*.py"
"""
