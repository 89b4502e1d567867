import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** An error that the user can fix: printed in one or two sentences, without a stack. */
export class Halt extends Error {}

/** Prints the start of a step, and its duration at the end: on two lines, because other output may come between. */
export async function step(what, action) {
  const start = Date.now()
  console.log(`${what} …`)
  try {
    const result = await action()
    console.log(`${what}: done in ${((Date.now() - start) / 1000).toFixed(1)} s`)
    return result
  } catch (error) {
    console.log(`${what}: failed`)
    throw error
  }
}

/** Runs a program without its output; a failure throws it as `Halt`. */
export function run(file, args, { cwd, env = process.env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const leave = endWith(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', (error) => reject(new Halt(`${file} could not be started: ${error.message}`)))
    child.on('close', leave)
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Halt(output.trim() || `${file} ended with code ${code}.`))))
  })
}

/** A stop signal to us ends the program too. Returns the function that undoes this. */
function endWith(child) {
  function end(signal) {
    child.kill(signal)
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end)
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, end)
  }
}
