import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { choiceKinds, FieldChanged, OptionsMissing, PatternUnfit, type addField, type editField, type fieldList } from '#field/contract.ts'
import * as field from '#field/server/field.ts'
import { patternOf, UnsupportedPattern } from '#field/server/pattern.ts'

type Form = ParsedInput<typeof addField>

export async function list(db: Db): Promise<Output<typeof fieldList>> {
  const [rows, counts] = await Promise.all([
    field.activeRows(db),
    db
      .selectFrom('member_field')
      .select(['field_id', sql<number>`count(*)::int`.as('count')])
      .groupBy('field_id')
      .execute(),
  ])
  const answers = new Map(counts.map((row) => [row.field_id, row.count]))
  return {
    fields: rows.map((row) => ({
      ...field.viewOf(row),
      pattern: row.pattern ?? '',
      isSearched: row.is_searched,
      isVisible: row.is_visible,
      sort: row.sort,
      version: row.version,
      answers: answers.get(row.id) ?? 0,
    })),
  }
}

export async function add(tx: Db, by: StaffActor, client: ClientInfo, form: Form): Promise<{ fieldId: string }> {
  refuseInvalid(form)
  const { id } = await tx.insertInto('field').values(columns(form)).returning('id').executeTakeFirstOrThrow()
  invalidate(tx, 'setting')
  await audit.note(tx, by, client, { action: 'field.add', about: `field ${id}`, after: form })
  return { fieldId: id }
}

export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { fieldId, version, ...form }: ParsedInput<typeof editField>,
): Promise<void> {
  const { version: now, ...before } = await lock(tx, fieldId)
  if (now !== version) throw FieldChanged({ by: (await audit.lastActor(tx, `field ${fieldId}`)) ?? '' })
  refuseInvalid(form)
  await tx
    .updateTable('field')
    .set({ ...columns(form), version: version + 1 })
    .where('id', '=', fieldId)
    .execute()
  invalidate(tx, 'everything')
  await audit.note(tx, by, client, { action: 'field.edit', about: `field ${fieldId}`, before, after: form })
}

export async function remove(tx: Db, by: StaffActor, client: ClientInfo, fieldId: string): Promise<void> {
  const before = await lock(tx, fieldId)
  await tx
    .updateTable('field')
    .set({ removed_at: sql`now()` })
    .where('id', '=', fieldId)
    .execute()
  invalidate(tx, 'everything')
  await audit.note(tx, by, client, { action: 'field.remove', about: `field ${fieldId}`, before })
}

async function lock(tx: Db, fieldId: string) {
  const row = await tx
    .selectFrom('field')
    .select(['name_zh as zh', 'name_en as en', 'kind', 'takes', 'pattern', 'options', 'longest'])
    .select(['is_required as isRequired', 'is_searched as isSearched', 'is_visible as isVisible', 'sort', 'version'])
    .where('id', '=', fieldId)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  return row
}

function refuseInvalid({ kind, takes, pattern, options }: Form): void {
  const keys = new Set(options.map(({ key }) => key))
  if (choiceKinds.includes(kind) && (options.length === 0 || keys.size < options.length)) throw OptionsMissing()
  if (takes !== 'pattern') return
  try {
    patternOf(pattern)
  } catch (error) {
    throw error instanceof UnsupportedPattern ? PatternUnfit({ why: error.why }) : error
  }
}

function columns(form: Form) {
  const { kind } = form
  const isChosen = choiceKinds.includes(kind)
  const takes = isChosen ? ('anything' as const) : form.takes
  return {
    name_zh: form.zh,
    name_en: form.en,
    help_zh: form.helpZh,
    help_en: form.helpEn,
    kind,
    takes,
    pattern: takes === 'pattern' ? form.pattern : null,
    options: JSON.stringify(isChosen ? form.options : []),
    longest: form.longest,
    is_required: form.isRequired,
    is_searched: form.isSearched,
    is_visible: form.isVisible,
    sort: form.sort,
  }
}
