import { onTestFinished, vi } from 'vitest'
import { makeCaptcha, type captchaPurposes } from '#captcha/contract.ts'
import type { Database } from '#base/server/database/database.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import * as challenge from '#challenge/server/challenge.ts'

type Forum = { database: Database }

/** A solved captcha: its answer is replaced by a known one. */
export async function solvedCaptcha(
  { database: { app } }: Forum,
  visitor: Visitor,
  purpose: (typeof captchaPurposes)[number] = 'code',
): Promise<{ captchaId: string; captcha: string }> {
  const { captchaId } = await visitor.call(makeCaptcha, { purpose, kind: 'work' })
  const answer_hash = await challenge.hashOf(app, { kind: 'captcha', subject: captchaId }, 'teas')
  await app.updateTable('challenge').set({ answer_hash }).where('subject', '=', captchaId).execute()
  return { captchaId, captcha: 'teas' }
}

/** Ages all recorded attempts by days. */
export async function ageAttempts({ database: { app } }: Forum): Promise<void> {
  await app.deleteFrom('attempt').execute()
}

const codeMs = 30_000

/** Stops this process's clock at the beginning of a TOTP period until the test ends, so that no code expires on a slow machine. */
export function freezeTotpClock(): void {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now - (now % codeMs) })
  onTestFinished(() => void vi.useRealTimers())
}
