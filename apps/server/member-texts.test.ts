import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { expect, test } from 'vitest'
import { features } from '#apps/server/features.ts'
import type { Endpoint } from '#base/contract.ts'
import { folderOf } from '../../features/order.js'

// Every text that members write is read by others, and then its feature checks it for sensitive words, or it is not, and stands here with the reason.

/** Codes, addresses, secrets and amounts by their usual names. */
const technical =
  /^(captcha|captchaId|ticket|code|phone|email|account|link|number|timeZone|endpoint|p256dh|auth|amount|returnTo|coupon|cash|points|price)$|password|invitation$|(Points|Cash|Receiver)$|^receiver$|^oldPassword$/i

/** Fields that nobody reads but their author, staff, or a program. */
const readByNoOthers: Readonly<Record<string, string>> = {
  'account hintQuestion': 'Asked of its author at a lost password.',
  'account hintAnswer': 'Stored as a hash.',
  'account-security name': 'The member’s own name of a passkey.',
  'account-security transports': 'Said by the browser.',
  'assistant note': 'Read by staff.',
  'assistant prompt': 'The member’s own conversation.',
  'assistant text': 'A draft that is improved; it is checked when it is posted.',
  'assistant title': 'The member’s own conversation.',
  'assistant wish': 'The member’s own request.',
  'comment reason': 'A moderator’s reason, in the log.',
  'draft fields': 'The member’s own draft; it is checked when it is posted.',
  'draft text': 'The member’s own draft; it is checked when it is posted.',
  'favourite note': 'The member’s own note.',
  'identity answer': 'Said by the other site.',
  'invitation note': 'The member’s own note.',
  'mcp name': 'The member’s own name of a token.',
  'message reason': 'Read by staff.',
  'payment reason': 'Read by staff.',
  'question reason': 'A moderator’s reason, in the log.',
  'real-name name': 'Sent to the provider that checks it.',
  'report reason': 'Read by staff.',
  'report text': 'Read by staff.',
  'topic reason': 'A moderator’s reason, in the log.',
}

/** Fields that others read, and that another feature checks, or nobody so far. */
const checkedElsewhere: Readonly<Record<string, string>> = {
  'file name': 'By nobody so far: the name of an attachment in a post.',
  'identity answers': 'By `field`, as the account is registered.',
}

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema
  anyOf?: Schema[]
} & Partial<Record<'enum' | 'const' | 'pattern' | 'format', unknown>>

/** The names of the fields of an input that take any text. */
function textsIn(schema: Schema, name = ''): string[] {
  const { type, properties = {}, items, additionalProperties: values, anyOf = [] } = schema
  if (type === 'string') return schema.enum || schema.const || schema.pattern || schema.format ? [] : [name]
  const within = [items, values, ...anyOf].filter((one) => typeof one === 'object')
  return [...Object.entries(properties).flatMap(([key, its]) => textsIn(its, key)), ...within.flatMap((its) => textsIn(its, name))]
}

function textsOf({ input, path, method }: Endpoint): string[] {
  if (method !== 'POST' || path.startsWith('/admin/')) return []
  return textsIn(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema).filter((name) => !technical.test(name))
}

function checksWords(feature: string): boolean {
  const folder = `${folderOf(feature)}/server`
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
  return files.some((file) => /sensitiveWords?\.|writing\.(prepare|checkTitle)|\btexts:/.test(readFileSync(`${folder}/${file}`, 'utf8')))
}

test('a text that members write is checked for sensitive words, or read by no others', () => {
  const texts = features.flatMap(({ name, routes = [] }) =>
    routes.flatMap(({ endpoint }) => textsOf(endpoint).map((text) => `${name} ${text}`)),
  )
  const found = new Set(texts)
  const answered = { ...readByNoOthers, ...checkedElsewhere }
  const open = [...found].filter((text) => !answered[text])
  expect(open.filter((text) => !checksWords(text.split(' ')[0] ?? ''))).toEqual([])
  expect(Object.keys(answered).filter((text) => !found.has(text))).toEqual([])
})
