import { createHmac, pbkdf2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { CaptchaNeeded, CaptchaWrong, type CaptchaWork, type captchaPurposes, type makeCaptcha } from '#captcha/contract.ts'
import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From } from '#base/server/route.ts'
import { secretOf } from '#base/server/secret.ts'

export type Purpose = (typeof captchaPurposes)[number]

const minutes = 20
const iterations = 15_000
const most = 600
const derive = promisify(pbkdf2)

type Made = Output<typeof makeCaptcha>
type Drawn = { answer: string; picture: string | null; work: CaptchaWork | null }

/** Draws a picture or sets work, for one try, by this browser, for this purpose. */
export async function make(tx: Db, { purpose, kind }: { purpose: Purpose; kind: 'picture' | 'work' }, from: From): Promise<Made> {
  const captchaId = randomBytes(18).toString('base64url')
  const { answer, ...shown } = kind === 'work' ? await setWork(captchaId) : await draw()
  await tx
    .insertInto('captcha')
    .values({
      id: captchaId,
      purpose,
      asker: from.csrf,
      answer_hash: await sealed(tx, captchaId, answer),
      expires_at: sql<Date>`now() + ${minutes} * interval '1 minute'`,
    })
    .execute()
  return { captchaId, ...shown }
}

// Four characters that are hard to mistake. What draws takes 25 MB, and some sites never need it.
async function draw(): Promise<Drawn> {
  const [{ default: svgCaptcha }, { default: sharp }] = await Promise.all([import('svg-captcha'), import('sharp')])
  const { text, data } = svgCaptcha.create({
    size: 4,
    ignoreChars: '0Oo1iIlLzZ2',
    noise: 2,
    color: false,
    width: 144,
    height: 48,
    fontSize: 52,
  })
  const png = await sharp(Buffer.from(data), { density: 144 }).png().toBuffer()
  return { answer: text, picture: `data:image/png;base64,${png.toString('base64')}`, work: null }
}

async function setWork(captchaId: string): Promise<Drawn> {
  const answer = String(randomInt(1, most + 1))
  const target = (await derive(answer, captchaId, iterations, 32, 'sha256')).toString('base64url')
  return { answer, picture: null, work: { target, iterations, most } }
}

/** Takes the captcha away, right or wrong; refuses a wrong answer. Must run in a transaction that commits all the same. */
export async function spend(
  tx: Db,
  purpose: Purpose,
  from: From,
  form: { captchaId?: string | undefined; captcha?: string | undefined; captchaWork?: number | undefined },
): Promise<'right' | 'wrong' | 'missing'> {
  const answer = form.captcha ?? form.captchaWork?.toString()
  if (!form.captchaId || !answer) return 'missing'
  const row = await tx
    .deleteFrom('captcha')
    .where('id', '=', form.captchaId)
    .where('purpose', '=', purpose)
    .where('asker', '=', from.csrf)
    .where(sql<boolean>`expires_at > now()`)
    .returning('answer_hash')
    .executeTakeFirst()
  if (!row) return 'wrong'
  return timingSafeEqual(row.answer_hash, await sealed(tx, form.captchaId, answer)) ? 'right' : 'wrong'
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
