import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { ProveAgain } from '#second-factor/contract.ts'

/** The scopes of a token: reading with the access of its member, and writing drafts. */
export const tokenScopes = ['read', 'draft'] as const
export type TokenScope = (typeof tokenScopes)[number]

export const maxTokens = 20

/** Programs have no access. */
export const NoMcp = refusal('mcp.noMcp')
export const TooManyTokens = refusal('mcp.tooManyTokens')

const when = z.iso.datetime()
const TokenView = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  createdAt: when,
  expiresAt: when,
  isExpired: z.boolean(),
  lastUsedAt: when.nullable(),
})
export type TokenView = z.infer<typeof TokenView>

export const tokens = read('/user/control/token/list', {
  summary: 'The member’s API tokens, without their secrets.',
  input: nothing,
  output: z.object({ tokens: z.array(TokenView), /** The endpoint for programs. */ address: z.string(), isOpen: z.boolean() }),
})

export const addToken = write('/user/control/token/add', {
  summary: 'Creates an API token for the member, notifies them, and returns its secret, shown once.',
  input: z.object({
    name: plainString.min(1).max(60),
    mayDraft: z.boolean().default(false),
    days: z.int().min(1).max(365).default(90),
  }),
  output: z.object({ token: z.string() }),
  errors: [NoMcp, TooManyTokens, ProveAgain],
})

export const revokeToken = write('/user/control/token/revoke', {
  summary: 'Revokes one of the member’s API tokens immediately.',
  input: z.object({ tokenId: id }),
  output: nothing,
})
