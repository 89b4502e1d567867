import { hashPassword } from '#base/server/security/hash-password.ts'
import { complete } from '#account/server/register.ts'
import type { Pair } from '#account/server/token.ts'
import { transact, type Database } from '#base/server/database/database.ts'
import type { ClientInfo } from '#base/server/http/route.ts'

type Joining = Pick<ClientInfo, 'ip' | 'language' | 'userAgent'> & { account: string; password: string }

/** Makes a member as registration does, without the cost of hashing: members with the same password share one hash. */
export async function aMember(database: Database, { account, password, ...here }: Joining): Promise<{ id: string; pair: Pair }> {
  const words = { hintQuestion: 'Which tea in the morning?', hintAnswer: 'longjing, always' }
  const answers = {}
  const ready = { password: await hashOnce(password), hintAnswer: await hashOnce(words.hintAnswer), answers }
  const form = { account, password, nickname: '', ...words, answers, agrees: true }
  const from = { ...here, origin: '', isLocal: false, authorization: undefined, csrf: '' }
  const { systemUser, ...pair } = await transact(database, (tx) => complete(tx, form, ready, from))
  return { id: systemUser.userId, pair }
}

const hashes = new Map<string, Promise<string>>()

/** The same hash for the same password, in every test of a process. */
export function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}
