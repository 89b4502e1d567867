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
    'Takes back what was decided about reports on a post within thirty days: they wait as they did before, the post comes back where the decision took it away and nobody did anything to it since, and an open appeal is granted.',
  input: z.object({ caseId: id, ...asRead }),
  output,
  errors: [...refuses, AppealDecided, ReportsWait],
})

export const takeBackAppeal = write('/admin/appeal/takeBack', {
  summary:
    'Takes back what was decided about an appeal within thirty days: it waits again, and the post goes where the decision brought it back and nobody did anything to it since. Not for whoever took the post away, unless they are alone.',
  input: z.object({ removalId: id, ...asRead }),
  output,
  errors: [...refuses, ForAnother, RemovalTakenBack],
})
