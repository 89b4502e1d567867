import { z } from 'zod'
import { TooLateToUndo } from '#batch/contract.ts'
import { id, write } from '#base/contract.ts'
import {
  AppealDecided,
  ChangedBy,
  Claimed,
  ErasedSince,
  ForAnother,
  RemovalTakenBack,
  ReportsWait,
  TakenBackAlready,
} from '#report/contract.ts'
import { needed, version } from '#report/staff-contract.ts'
import { OwnCase } from '#staff/contract.ts'

/** The version of a decision, and the reason to reverse it. */
const asRead = { version, reason: needed }
/** True where the post was changed since, and stays as it is. */
const output = z.object({ isLeft: z.boolean() })
const refuses = [OwnCase, Claimed, ChangedBy, TakenBackAlready, TooLateToUndo, ErasedSince]

export const takeBackCase = write('/admin/report/takeBack', {
  summary:
    'Reopens reports on a post within 30 days of their decision. Restores the post unless it changed since, and grants an open appeal.',
  input: z.object({ caseId: id, ...asRead }),
  output,
  errors: [...refuses, AppealDecided, ReportsWait],
})

export const takeBackAppeal = write('/admin/appeal/takeBack', {
  summary:
    'Reopens an appeal within 30 days of its decision and removes the restored post unless it changed. Restricted like the decision.',
  input: z.object({ removalId: id, ...asRead }),
  output,
  errors: [...refuses, ForAnother, RemovalTakenBack],
})
