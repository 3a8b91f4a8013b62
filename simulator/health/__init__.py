"""Whether this installation is well, looked at part by part: for the doctor, the health page, metrics and operators."""
