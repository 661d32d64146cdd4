open("@HOME@/results/results.json", "w").write("BREACH")
