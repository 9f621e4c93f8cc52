// Written by `limpet init opencode`; `limpet init opencode --undo` removes it.
// Asks limpet before each shell command. Whatever goes wrong is a no.
import { spawn } from "node:child_process"

const HOOK = ["limpet-hook", "opencode"]
const SHELLS = ["bash"]
const PATIENCE = 5000

function asked(question) {
  return new Promise((resolve, reject) => {
    const child = spawn(HOOK[0], HOOK.slice(1), { stdio: ["pipe", "pipe", "pipe"] })
    const late = setTimeout(() => {
      child.kill("SIGKILL")
      reject(new Error("limpet did not answer, so the command was not run"))
    }, PATIENCE)
    let out = ""
    let err = ""
    child.stdout.on("data", (data) => (out += data))
    child.stderr.on("data", (data) => (err += data))
    child.stdin.on("error", () => {})
    child.on("error", (error) => {
      clearTimeout(late)
      reject(new Error(`limpet could not be started, so the command was not run: ${error.message}`))
    })
    child.on("close", (status) => {
      clearTimeout(late)
      if (status === 0) resolve(out)
      else reject(new Error(err.trim() || `limpet failed (${status}), so the command was not run`))
    })
    child.stdin.end(JSON.stringify(question))
  })
}

export const Limpet = async ({ directory, worktree }) => ({
  "tool.execute.before": async (input, output) => {
    if (!SHELLS.includes(input.tool)) return
    const project = worktree && worktree !== "/" ? worktree : undefined
    const answer = JSON.parse(await asked({ tool: input.tool, cwd: directory, worktree: project, args: output.args }))
    if (answer.decision !== "allow") throw new Error(answer.reason || "limpet did not allow it")
    if (answer.args) Object.assign(output.args, answer.args)
  },
})
