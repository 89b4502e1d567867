import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { UnknownPlaceholder } from '#assistant/contract.ts'
import type { editPrompt, previewPrompt, promptList, returnPrompt } from '#assistant/prompt-contract.ts'
import { fillIn, placeholders, promptNames, unknownPlaceholders, type PromptName } from '#assistant/prompts.ts'
import { guardOf, defaultPrompts } from '#assistant/server/instructions.ts'
import { bothLanguages } from '#base/both-languages.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import { dayAt } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import type { Language } from '#base/server/words.ts'
import * as setting from '#setting/server/setting.ts'

const versionsShown = 20

type PromptKey = { name: PromptName; language: Language }

export async function list(db: Db): Promise<Output<typeof promptList>> {
  const settings = await setting.all(db)
  const all = promptNames.flatMap((name) => bothLanguages.map((language) => ({ name, language })))
  return { prompts: await Promise.all(all.map((one) => show(db, one, settings))) }
}

async function show(db: Db, one: PromptKey, settings: Site) {
  const { name, language } = one
  const own = defaultPrompts[name][language]
  const rows = await db
    .selectFrom('assistant_prompt')
    .select(['version', 'text', 'changed_by', 'changed_at'])
    .where('name', '=', name)
    .where('language', '=', language)
    .orderBy('version', 'desc')
    .limit(versionsShown)
    .execute()
  const text = rows[0]?.text ?? own
  return {
    ...one,
    text,
    isStandard: text === own,
    version: rows[0]?.version ?? 0,
    placeholders: [...placeholders[name]],
    guard: guardOf(name, language),
    preview: previewOf(one, text, settings),
    history: rows.map((row) => ({
      version: row.version,
      at: row.changed_at.toISOString(),
      by: row.changed_by,
      text: row.text ?? own,
      isStandard: row.text === null,
    })),
  }
}

export async function preview(db: Db, { text, ...one }: ParsedInput<typeof previewPrompt>): Promise<Output<typeof previewPrompt>> {
  mustBeKnown(one.name, text)
  return { preview: previewOf(one, text, await setting.all(db)) }
}

export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { version, text, ...one }: ParsedInput<typeof editPrompt>,
): Promise<void> {
  mustBeKnown(one.name, text)
  await change(tx, by, client, { one, version, text })
}

export async function restoreDefault(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { version, ...one }: ParsedInput<typeof returnPrompt>,
): Promise<void> {
  await change(tx, by, client, { one, version, text: defaultPrompts[one.name][one.language] })
}

async function change(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { one, version, text }: { one: PromptKey; version: number; text: string },
): Promise<void> {
  const { name, language } = one
  // Serialises concurrent edits: the second fails the version check.
  await sql`select pg_advisory_xact_lock(hashtext(${`prompt ${name} ${language}`}))`.execute(tx)
  const now = await tx
    .selectFrom('assistant_prompt')
    .select(['version', 'text'])
    .where('name', '=', name)
    .where('language', '=', language)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  const about = `assistantPrompt ${name}.${language}`
  await audit.refuseIfChanged(tx, about, now?.version ?? 0, version)
  const own = defaultPrompts[name][language]
  const before = now?.text ?? own
  if (before === text) return
  // A prompt equal to the default follows the default in later versions.
  const isStandard = text === own
  await tx
    .insertInto('assistant_prompt')
    .values({ name, language, version: version + 1, text: isStandard ? null : text, changed_by: by.account })
    .execute()
  const action = isStandard ? 'assistantPrompt.return' : 'assistantPrompt.edit'
  await audit.note(tx, by, client, { action, about, before: { text: before }, after: { text } })
}

type Site = Pick<Awaited<ReturnType<typeof setting.all>>, 'title' | 'timeZone'>

function previewOf({ name, language }: PromptKey, text: string, { title, timeZone }: Site): string {
  return `${fillIn(text, { site: title, today: dayAt(Date.now(), timeZone), topicId: '42' })}\n${guardOf(name, language)}`
}

function mustBeKnown(name: PromptName, text: string): void {
  const [first] = unknownPlaceholders(name, text)
  if (first !== undefined) throw UnknownPlaceholder({ name: `{${first}}`, known: placeholders[name].map((one) => `{${one}}`).join(' ') })
}
