import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import svgCaptcha from 'svg-captcha'
import { CaptchaNeeded, CaptchaWrong, type captchaPurposes } from '#account/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From } from '#base/server/route.ts'
import { secretOf } from '#base/server/secret.ts'

export type Purpose = (typeof captchaPurposes)[number]

const minutes = 5

/** Draws a picture of four characters that are hard to mistake, for one try, by this browser, for this purpose. */
export async function make(tx: Db, purpose: Purpose, from: From): Promise<{ captchaId: string; picture: string }> {
  const { text, data } = svgCaptcha.create({
    size: 4,
    ignoreChars: '0Oo1iIlLzZ2',
    noise: 2,
    color: false,
    width: 144,
    height: 48,
    fontSize: 52,
  })
  const captchaId = randomBytes(18).toString('base64url')
  await tx
    .insertInto('captcha')
    .values({
      id: captchaId,
      purpose,
      asker: from.csrf,
      answer_hash: await sealed(tx, captchaId, text),
      expires_at: sql<Date>`now() + ${minutes} * interval '1 minute'`,
    })
    .execute()
  const png = await sharp(Buffer.from(data), { density: 144 }).png().toBuffer()
  return { captchaId, picture: `data:image/png;base64,${png.toString('base64')}` }
}

/** Takes the picture away, right or wrong; refuses a wrong answer. Must run in a transaction that commits all the same. */
export async function spend(
  tx: Db,
  purpose: Purpose,
  from: From,
  form: { captchaId?: string; captcha?: string },
): Promise<'right' | 'wrong' | 'missing'> {
  if (!form.captchaId || !form.captcha) return 'missing'
  const row = await tx
    .deleteFrom('captcha')
    .where('id', '=', form.captchaId)
    .where('purpose', '=', purpose)
    .where('asker', '=', from.csrf)
    .where(sql<boolean>`expires_at > now()`)
    .returning('answer_hash')
    .executeTakeFirst()
  if (!row) return 'wrong'
  return timingSafeEqual(row.answer_hash, await sealed(tx, form.captchaId, form.captcha)) ? 'right' : 'wrong'
}

export function refuseUnless(outcome: 'right' | 'wrong' | 'missing'): void {
  if (outcome === 'missing') throw CaptchaNeeded()
  if (outcome === 'wrong') throw CaptchaWrong()
}

export async function sealed(tx: Db, captchaId: string, text: string): Promise<Buffer> {
  return createHmac('sha256', await secretOf(tx, 'captcha'))
    .update(`${captchaId} ${text.toLowerCase()}`)
    .digest()
}
