import { z } from 'zod'
import { refusal, write } from '#base/contract.ts'
import { codeField } from '#base/secret-input.ts'

export const CaptchaNeeded = refusal('captcha.needed')
export const CaptchaWrong = refusal('captcha.wrong')

/** The captcha's id with the text of its picture, or with the number that the browser found. */
export const captchaFields = {
  captchaId: z.string().max(64).optional(),
  captcha: codeField.length(4).optional(),
  captchaWork: z.number().int().positive().optional(),
}

/**
 * The number from 1 to `most` whose PBKDF2 (SHA-256, 32 bytes, salted with the captcha's id) is `target`, in base64url: found by brute
 * force, within a few seconds.
 */
const CaptchaWork = z.object({ target: z.string(), iterations: z.number(), most: z.number() })
export type CaptchaWork = z.infer<typeof CaptchaWork>

export const captchaPurposes = ['register', 'login', 'code', 'staff', 'report', 'message', 'feedback', 'redEnvelope'] as const

export const makeCaptcha = write('/captcha/make', {
  summary: 'Creates a captcha, valid for one attempt within 20 minutes: a picture of four characters, or a proof of work for the browser.',
  input: z.object({ purpose: z.enum(captchaPurposes), kind: z.enum(['picture', 'work']).default('picture') }),
  output: z.object({ captchaId: z.string(), picture: z.string().nullable(), work: CaptchaWork.nullable() }),
  availableWhile: 'closed', // staff need one too
})
