import { randomInt } from 'node:crypto'
import { simplify } from '#base/chinese/simplify.ts'
import type { Db } from '#base/server/database/database.ts'
import { pinyinDictionary } from '#base/server/spell.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

const maxLength = 18

/**
 * A login name by the sound of a nickname. It always has digits and is not checked against existing accounts, so that many calls reveal
 * none. Registration says so, and costs more.
 */
export async function suggestAccount(db: Db, nickname: string): Promise<string> {
  const { reservedNames } = await setting.all(db)
  const sound = soundOf(nickname)
  const account = withDigits(sound, 4)
  return /[a-z]/.test(sound) && !user.isReserved(account, reservedNames) ? account : numberedName()
}

/** A free login name for a new account: with digits where the sound alone is taken or too short. */
export async function freeAccount(db: Db, nickname: string): Promise<string> {
  const { reservedNames } = await setting.all(db)
  const sound = soundOf(nickname)
  for (const digits of /[a-z]/.test(sound) ? [0, 2, 4, 6] : []) {
    const account = digits === 0 ? sound : withDigits(sound, digits)
    if (account.length < 3 || user.isReserved(account, reservedNames)) continue
    if (!(await user.isNameTaken(db, account))) return account
  }
  return numberedName()
}

function withDigits(sound: string, digits: number): string {
  return `${sound}${randomInt(10 ** (digits - 1), 10 ** digits)}`
}

function numberedName(): string {
  return `member${randomInt(10 ** 9, 10 ** 10)}`
}

function soundOf(nickname: string): string {
  const { pinyin } = pinyinDictionary()
  const spelled = pinyin(simplify(nickname), { toneType: 'none', type: 'array', v: true, nonZh: 'consecutive' }).join('')
  return spelled.normalize('NFKD').replace(/\W/g, '').toLowerCase().slice(0, maxLength)
}
