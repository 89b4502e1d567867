import { pbkdf2, randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { CaptchaNeeded, CaptchaWrong, type CaptchaWork, type captchaPurposes, type makeCaptcha } from '#captcha/contract.ts'
import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import * as challenge from '#challenge/server/challenge.ts'

export type Purpose = (typeof captchaPurposes)[number]

const iterations = 15_000
const maxNumber = 600
const derive = promisify(pbkdf2)

type CaptchaView = Output<typeof makeCaptcha>
type GeneratedCaptcha = { answer: string; picture: string | null; work: CaptchaWork | null }

/** Draws a picture or sets proof-of-work, for one attempt in this browser, for this purpose. */
export async function make(
  tx: Db,
  { purpose, kind }: { purpose: Purpose; kind: 'picture' | 'work' },
  client: ClientInfo,
): Promise<CaptchaView> {
  const captchaId = randomBytes(18).toString('base64url')
  const { answer, ...shown } = kind === 'work' ? await setWork(captchaId) : await drawPicture()
  await challenge.make(tx, { kind: 'captcha', purpose, subject: captchaId }, answer, client)
  return { captchaId, ...shown }
}

// Four characters that are hard to mistake. The drawing library takes 25 MB, and some sites never need it.
async function drawPicture(): Promise<GeneratedCaptcha> {
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

async function setWork(captchaId: string): Promise<GeneratedCaptcha> {
  const answer = String(randomInt(1, maxNumber + 1))
  const target = (await derive(answer, captchaId, iterations, 32, 'sha256')).toString('base64url')
  return { answer, picture: null, work: { target, iterations, most: maxNumber } }
}

/** Consumes the captcha in any case; refuses a wrong answer. Run it in a transaction that commits in any case. */
export async function consume(
  tx: Db,
  purpose: Purpose,
  client: ClientInfo,
  form: { captchaId?: string | undefined; captcha?: string | undefined; captchaWork?: number | undefined },
): Promise<challenge.Outcome> {
  const answer = form.captcha ?? form.captchaWork?.toString()
  return challenge.consume(tx, { kind: 'captcha', purpose, subject: form.captchaId ?? '' }, answer, client)
}

export function requireRight(outcome: challenge.Outcome): void {
  if (outcome === 'missing') throw CaptchaNeeded()
  if (outcome === 'wrong') throw CaptchaWrong()
}
