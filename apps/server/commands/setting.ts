import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { pathOf, type Command } from '#apps/server/commands/command.ts'
import { withForum } from '#apps/server/commands/forum.ts'
import { describeSchema } from '#apps/server/commands/describe-schema.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { transact, type Db } from '#base/server/database/database.ts'
import { say } from '#base/server/words.ts'
import { messageOf } from '#base/validation.ts'
import * as audit from '#audit/server/audit.ts'
import { allSettings, isPicture, isSealed, isWriteOnly, type AnySetting } from '#setting/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'

// Pictures are files and are set in the administration.
const names = Object.keys(allSettings).filter(isSetting)
const longest = Math.max(...names.map((name) => name.length))

export const listSettings: Command = {
  name: 'setting list',
  usage: '',
  summary:
    'Shows every setting; a star marks those that were changed, an exclamation mark those whose stored value cannot be used, so that the default is.',
  argumentCount: { min: 0, max: 0 },
  async run(ground) {
    const [values, unreadable] = await withForum(ground, ({ database: { app } }) =>
      Promise.all([visibleValues(app), setting.invalidSettings(app)]),
    )
    return names.map((name) => lineOf(name, values[name], unreadable)).join('\n')
  },
}

export const getSetting: Command = {
  name: 'setting get',
  usage: 'NAME',
  summary: 'Shows one setting, whole.',
  argumentCount: { min: 1, max: 1 },
  async run({ words, ...ground }) {
    const name = settingNamed(words[0])
    const value = (await withForum(ground, ({ database }) => visibleValues(database.app)))[name]
    return typeof value === 'string' ? value : JSON.stringify(value)
  },
}

export const changeSetting: Command = {
  name: 'setting set',
  usage: 'NAME VALUE',
  summary: 'Changes one setting. @PATH reads the value from a file.',
  argumentCount: { min: 2, max: 2 },
  async run({ words, ...ground }) {
    const name = settingNamed(words[0])
    const text = words[1] ?? ''
    const value = parseValue(name, text.startsWith('@') ? await readText(text.slice(1)) : text)
    await withForum(ground, ({ database }) =>
      transact(database, async (tx) => {
        await setting.lock(tx)
        const before = (await visibleValues(tx))[name]
        await setting.changeAll(tx, new Map([[name, value]]), 'operator')
        const change = isWriteOnly(name) ? {} : { before, after: value }
        await audit.noteOperator(tx, { action: 'setting.change', about: `setting ${name}`, ...change })
      }),
    )
    if (isWriteOnly(name)) return `${name} is ${value === '' ? 'removed' : 'set'}.`
    return `${name} is ${typeof value === 'string' && value.includes('\n') ? 'changed' : JSON.stringify(value)} now.`
  },
}

/** As the operator may see them: of a sealed setting only whether it is set. */
async function visibleValues(db: Db): Promise<Record<string, unknown>> {
  const sealed = await setting.secretsSet(db)
  return {
    ...(await setting.stored(db)),
    ...Object.fromEntries(names.filter(isSealed).map((name) => [name, sealed.has(name) ? '(set)' : ''])),
  }
}

function lineOf(name: AnySetting, value: unknown, unreadable: readonly string[]): string {
  const text = JSON.stringify(value)
  const star = text === JSON.stringify(allSettings[name].default) ? ' ' : '*'
  const mark = unreadable.includes(name) ? '!' : star
  return `${mark} ${name.padEnd(longest)}  ${text.length > 80 ? `${text.slice(0, 79)}…` : text}`
}

function settingNamed(typed = ''): AnySetting {
  if (!isSetting(typed)) throw new CannotStart(`There is no setting ${typed}. There are: ${names.join(', ')}.`)
  return typed
}

function isSetting(name: string): name is AnySetting {
  return Object.hasOwn(allSettings, name) && !isPicture(name)
}

/** Text as it stands if the setting is text, else JSON. */
export function parseValue(name: AnySetting, text: string): unknown {
  const { schema } = allSettings[name]
  const asText = schema.safeParse(text)
  const result = asText.success ? asText : schema.safeParse(fromJson(text))
  if (result.success) return result.data
  throw new CannotStart(`${name} cannot be ${JSON.stringify(text.slice(0, 100))}. ${explainRefusal(schema, asText.error ?? result.error)}`)
}

// A custom check has the best message; for the others the schema tells more than zod does.
function explainRefusal(takes: z.ZodType, { issues }: z.ZodError): string {
  const own = issues.find(({ code }) => code === 'custom')
  if (!own) return `It must be ${describeSchema(takes)}.`
  const { key, values } = messageOf(own)
  return say('en', key, values)
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(pathOf(path), 'utf8')
  } catch (error) {
    throw error instanceof Error && 'code' in error ? new CannotStart(`${path} cannot be read: ${error.message}`) : error
  }
}
