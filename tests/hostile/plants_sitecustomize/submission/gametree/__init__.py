raise SystemExit("BREACH")
