import { onTestFinished, vi } from 'vitest'
import { makeCaptcha, type captchaPurposes } from '#captcha/contract.ts'
import type { Database } from '#base/server/database/database.ts'
import type { Visitor } from '#base/testing/visit.ts'
import * as challenge from '#challenge/server/challenge.ts'

type Forum = { database: Database }

/** A captcha that is solved: its answer is replaced by one we know. */
export async function captchaFor(
  { database: { app } }: Forum,
  visitor: Visitor,
  purpose: (typeof captchaPurposes)[number] = 'code',
): Promise<{ captchaId: string; captcha: string }> {
  const { captchaId } = await visitor.call(makeCaptcha, { purpose, kind: 'work' })
  const answer_hash = await challenge.hashOf(app, { kind: 'captcha', subject: captchaId }, 'teas')
  await app.updateTable('challenge').set({ answer_hash }).where('subject', '=', captchaId).execute()
  return { captchaId, captcha: 'teas' }
}

/** As if everything that was tried had been tried days ago. */
export async function letDaysPass({ database: { app } }: Forum): Promise<void> {
  await app.deleteFrom('attempt').execute()
}

const codeMs = 30_000

/** Holds the clock of this process where a code of an app has just begun, until the test is done: no code runs out on a slow machine. */
export function holdTheClock(): void {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now - (now % codeMs) })
  onTestFinished(() => void vi.useRealTimers())
}
