import { resolve } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import type { Config } from '#base/server/config.ts'
import type { Log } from '#base/server/log.ts'

/** One thing the operator may ask for. */
export type Command = {
  name: string
  /** What follows the name, as the help shows it. */
  usage: string
  does: string
  /** How many words may follow the name, options apart. */
  words: { least: number; most: number }
  options?: ParseArgsConfig['options']
  /** Answers what to tell the operator when it is done. */
  run(asked: Arguments): Promise<string>
}

export type Arguments = {
  words: readonly string[]
  options: Readonly<Record<string, unknown>>
  config: Config
  log: Log
}

/** A path as the operator meant it: npm runs us in the package's folder, wherever they stand. */
export function pathOf(text: string): string {
  return resolve(process.env['INIT_CWD'] ?? '.', text)
}
