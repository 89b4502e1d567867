import { setTimeout } from 'node:timers/promises'
import { makeCaptcha } from '#captcha/contract.ts'
import type { Database } from '#base/server/database.ts'
import type { Visitor } from '#base/testing/visit.ts'
import * as challenge from '#challenge/server/challenge.ts'

type Forum = { database: Database }

/** A captcha that is solved: its answer is replaced by one we know. */
export async function captchaFor({ database: { app } }: Forum, visitor: Visitor): Promise<{ captchaId: string; captcha: string }> {
  const { captchaId } = await visitor.call(makeCaptcha, { purpose: 'code', kind: 'work' })
  const answer_hash = await challenge.hashOf(app, { kind: 'captcha', subject: captchaId }, 'teas')
  await app.updateTable('challenge').set({ answer_hash }).where('subject', '=', captchaId).execute()
  return { captchaId, captcha: 'teas' }
}

/** As if everything that was tried had been tried days ago. */
export async function letDaysPass({ database: { app } }: Forum): Promise<void> {
  await app.deleteFrom('attempt').execute()
}

const codeMs = 30_000

/** Waits for the next code of an app where this one is about to run out: a test that spends the one before would be too late on a slow machine. */
export async function soonAfterACodeBegan(): Promise<void> {
  const left = codeMs - (Date.now() % codeMs)
  // A timer may come a moment early, and the clock would still be at the code before.
  if (left < 5_000) await setTimeout(left + 50)
}
