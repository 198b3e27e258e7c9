"""What changes the user's files, and what undoes it: plans are carried out here and nowhere else.

store: old bytes by their hash · journal: what was meant and done · entries: one name in an open folder · acting: one
step · running: the steps of an operation, all or none · inverse: the steps that undo them · undo: the door to it all.
"""
