import type { RefusalKind } from '#base/contract.ts'
import { say } from '#base/server/words.ts'
import { anyone, type DocumentedRoute } from '#base/server/http/route.ts'

type Json = Record<string, unknown>

const answers = '#/components/responses/'
const text = { type: 'string' }
const message = { type: 'object', properties: { message: text } }
const fields = {
  type: 'object',
  properties: { error: { type: 'object', additionalProperties: text }, seconds: { type: 'integer', description: 'When to come again.' } },
}
const retryAfter = { 'Retry-After': { description: 'In how many seconds to come again.', schema: { type: 'integer' } } }

/** The possible refusals of any call: status, meaning and schema. */
const answersByStatus = {
  400: { name: 'Malformed', says: 'The request is not of the form that this call takes.', schema: message },
  401: { name: 'SignedOut', says: 'Nobody is logged in, or the token is out of date.', schema: message },
  403: { name: 'NotAllowed', says: 'The asker may not do this, or another site may have sent it.', schema: message },
  404: { name: 'Missing', says: 'What is named does not exist, or is not for these eyes.', schema: message },
  409: {
    name: 'UnderWay',
    says: 'The same request is being done, or was done and answered a secret.',
    schema: fields,
    headers: retryAfter,
  },
  413: { name: 'TooLarge', says: 'The body is larger than this call takes.', schema: message },
  415: { name: 'OtherType', says: 'The body is of a kind that this call does not take.', schema: message },
  422: { name: 'Refused', says: 'The message of each field, or of the whole form, in the language asked for.', schema: fields },
  428: { name: 'ProofRequired', says: 'The password has to be shown again.', schema: message },
  429: { name: 'TooFast', says: 'The asker comes too often.', schema: fields, headers: retryAfter },
  503: { name: 'Away', says: 'The site is closed, or catching its breath.', schema: text, type: 'text/plain', headers: retryAfter },
} as const
type Status = keyof typeof answersByStatus

export function commonAnswers(): Record<string, Json> {
  return Object.fromEntries(
    Object.keys(answersByStatus).map((status) => [answersByStatus[Number(status) as Status].name, answerOf(Number(status) as Status)]),
  )
}

function answerOf(status: Status, says: string = answersByStatus[status].says): Json {
  const { schema, type = 'application/json', headers } = { type: undefined, headers: undefined, ...answersByStatus[status] }
  return { description: says, ...(headers && { headers }), content: { [type]: { schema } } }
}

/** The refusals of this call; its own errors with their texts. */
export function refusalsOf(route: DocumentedRoute): Record<string, Json> {
  const named = Map.groupBy(route.endpoint.errors, ({ status }) => status)
  const statuses = new Set<number>([...commonStatuses(route), ...named.keys()])
  return Object.fromEntries(
    [...statuses].toSorted((one, other) => one - other).map((status) => [status, refusalOf(status, named.get(status))]),
  )
}

function refusalOf(status: number, named: readonly RefusalKind[] = []): Json {
  const isUsual = isKnown(status)
  // Errors of fields are listed by name in `x-refusals`, so their texts are not repeated here.
  if (isUsual && (status === 422 || named.length === 0)) return { $ref: answers + answersByStatus[status].name }
  const own = named
    .map(({ code }) => say('en', code, { seconds: 1, minutes: 1, hours: 1, account: 'anna', name: 'Anna', by: 'anna', text: '' }))
    .join(' ')
  return isUsual ? answerOf(status, `${answersByStatus[status].says} ${own}`.trim()) : { description: own }
}

function isKnown(status: number): status is Status {
  return Object.hasOwn(answersByStatus, status)
}

function commonStatuses({ endpoint, guard, allowsExpiredToken }: DocumentedRoute): Status[] {
  const isWrite = endpoint.method === 'POST'
  const isForStaff = endpoint.path.startsWith('/admin/')
  const asksWho = guard !== anyone || (!isForStaff && !allowsExpiredToken)
  return [
    400,
    ...(asksWho ? [401 as const] : []),
    403,
    404,
    ...(isWrite ? ([409, 413, 415, 422] as const) : []),
    ...(guard.mayAskForPassword ? [428 as const] : []),
    429,
    503,
  ]
}
