import { sql } from 'kysely'
import { hasAtMost } from '#base/characters.ts'
import { refusalAt, throwAll, type Refusal, type RefusalKind, type RefusalValues } from '#base/contract.ts'
import { hasStackedMarks, plainText } from '#base/plain-text.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { AnswerMissing, AnswerTooLong, AnswerUnfit, choiceKinds, type Answers, type FieldView } from '#field/contract.ts'
import { patternOf } from '#field/server/pattern.ts'
import * as sensitiveWord from '#sensitive-word/server/sensitive-word.ts'

type Name = { zh: string; en: string }
type Option = { key: string; zh: string; en: string }

/** All fields, in order. */
export async function allFields(db: Db): Promise<FieldView[]> {
  return (await activeRows(db)).map((row) => viewOf(row))
}

/** The fields by which staff search members. */
export async function searchableFields(db: Db): Promise<FieldView[]> {
  return (await activeRows(db)).filter((row) => row.is_searched).map((row) => viewOf(row))
}

export function activeRows(db: Db) {
  return db.selectFrom('field').selectAll().where('removed_at', 'is', null).orderBy('sort').orderBy('id').execute()
}

type Row = Awaited<ReturnType<typeof activeRows>>[number]

export function viewOf(row: Row): FieldView {
  return {
    id: row.id,
    name: { zh: row.name_zh, en: row.name_en },
    help: { zh: row.help_zh, en: row.help_en },
    kind: row.kind,
    takes: row.takes,
    options: optionsOf(row).map(({ key, zh, en }) => ({ key, name: { zh, en } })),
    longest: row.longest,
    isRequired: row.is_required,
  }
}

/** Validates answers and returns them for storage. Each refusal is at its field. */
export async function validated(db: Db, answers: Answers): Promise<Answers> {
  const rows = await activeRows(db)
  const wrong = rows.flatMap((row) => refusalFor(row, answerOf(answers, row)) ?? [])
  throwAll(wrong)
  const written = rows.filter(({ kind }) => !choiceKinds.includes(kind))
  await sensitiveWord.refuseIn(db, Object.fromEntries(written.map((row) => [`answer_${row.id}`, answerOf(answers, row).join(' ')])))
  return Object.fromEntries(rows.map((row) => [row.id, answerOf(answers, row)]))
}

/** Replaces the answers of a member by valid ones. */
export async function saveAnswers(tx: Db, memberId: string, answers: Answers): Promise<void> {
  const rows = Object.entries(answers)
  if (rows.length === 0) return
  await tx
    .deleteFrom('member_field')
    .where('member_id', '=', memberId)
    .where('field_id', '=', anyOf(Object.keys(answers)))
    .execute()
  const answered = rows.filter(([, answer]) => answer.length > 0)
  if (answered.length === 0) return
  await tx
    .insertInto('member_field')
    .values(answered.map(([field_id, answer]) => ({ member_id: memberId, field_id, answer })))
    .execute()
}

/** The answers of a member, for themselves and for staff. */
export async function answersOf(db: Db, memberId: string): Promise<Answers> {
  const rows = await db.selectFrom('member_field').select(['field_id', 'answer']).where('member_id', '=', memberId).execute()
  return Object.fromEntries(rows.map((row) => [row.field_id, row.answer]))
}

/** The same in words: the public ones, or all for staff. */
export async function answersInWords(db: Db, memberId: string, { all = false } = {}): Promise<{ name: Name; said: Name[] }[]> {
  const rows = await db
    .selectFrom('member_field')
    .innerJoin('field', 'field.id', 'field_id')
    .select(['name_zh', 'name_en', 'answer', 'options'])
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`is_visible or ${all}`)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ name: { zh: row.name_zh, en: row.name_en }, said: row.answer.map((one) => inWords(row, one)) }))
}

/** All answers of these members in words, for staff, by member. */
export async function answersInWordsByMember(db: Db, memberIds: readonly string[]): Promise<Map<string, { name: Name; said: Name[] }[]>> {
  const rows = await db
    .selectFrom('member_field')
    .innerJoin('field', 'field.id', 'field_id')
    .select(['member_id', 'name_zh', 'name_en', 'answer', 'options'])
    .where('member_id', '=', anyOf(memberIds))
    .where('removed_at', 'is', null)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const answers = rows.map((row) => ({ row, name: { zh: row.name_zh, en: row.name_en }, said: row.answer.map((one) => inWords(row, one)) }))
  const all = Map.groupBy(answers, ({ row }) => row.member_id)
  return new Map([...all].map(([id, its]) => [id, its.map(({ name, said }) => ({ name, said }))]))
}

function inWords(row: { options: unknown }, answer: string): Name {
  const option = optionsOf(row).find(({ key }) => key === answer)
  return option ? { zh: option.zh, en: option.en } : { zh: answer, en: answer }
}

function optionsOf({ options }: { options: unknown }): Option[] {
  return options as Option[]
}

function answerOf(answers: Answers, row: Row): string[] {
  return (answers[row.id] ?? []).map(plainText).filter((one) => one !== '')
}

function refusalFor(row: Row, answers: readonly string[]): Refusal | null {
  const here = (kind: RefusalKind, values: RefusalValues = {}) => refusalAt(`answer_${row.id}`, kind)(values)
  if (answers.length === 0) return row.is_required ? here(AnswerMissing) : null
  if (choiceKinds.includes(row.kind)) {
    const keys = new Set(optionsOf(row).map(({ key }) => key))
    const isFew = row.kind === 'checkbox' || answers.length === 1
    return isFew && answers.every((one) => keys.has(one)) && new Set(answers).size === answers.length
      ? null
      : here(AnswerUnfit, { takes: 'option' })
  }
  const [text = '', ...more] = answers
  if (more.length > 0) return here(AnswerUnfit, { takes: 'option' })
  if (!hasAtMost(text, row.longest)) return here(AnswerTooLong, { max: row.longest })
  if (hasStackedMarks(text)) return here(AnswerUnfit, { takes: 'fewerMarks' })
  return isInFormat(row, text) ? null : here(AnswerUnfit, { takes: row.takes })
}

function isInFormat({ takes, pattern }: Row, text: string): boolean {
  if (takes === 'digits') return /^[0-9]+$/.test(text)
  if (takes === 'letters') return /^[A-Za-z]+$/.test(text)
  if (takes === 'lettersAndDigits') return /^[A-Za-z0-9]+$/.test(text)
  if (takes === 'chinese') return /^\p{Script=Han}+$/u.test(text)
  return takes === 'anything' || patternOf(pattern ?? '')(text)
}
