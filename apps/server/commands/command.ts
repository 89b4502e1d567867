import { resolve } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import type { Config } from '#base/server/config.ts'
import type { Log } from '#base/server/log.ts'

/** A command of the operator's tool. */
export type Command = {
  name: string
  /** The arguments after the name, as shown in the help. */
  usage: string
  summary: string
  /** The number of positional arguments allowed. */
  argumentCount: { min: number; max: number }
  options?: ParseArgsConfig['options']
  /** Returns the message for the operator. */
  run(asked: Arguments): Promise<string>
}

export type Arguments = {
  words: readonly string[]
  options: Readonly<Record<string, unknown>>
  config: Config
  log: Log
}

/** A path relative to the operator's working directory: npm runs us in the package's folder. */
export function pathOf(text: string): string {
  return resolve(process.env['INIT_CWD'] ?? '.', text)
}
