"""The board painter: figures, points, squares and holes set by clicks or by labelled forms, one module a family.

What is painted is the draft's document, which is always what the drawing shows. A stroke takes a document and returns
another, with a sentence that says what it did; of drafts and requests only `catalogue.workshop.board` knows.
"""
