import type { Manifest } from '#base/manifest.ts'
import { byFeature } from '#features/lists/manifests.ts'

type Declaring = Extract<(typeof byFeature)[keyof typeof byFeature], Readonly<Record<'auditActions', unknown>>>
export type PlainAction = Declaring['auditActions'][number]
type Undoable = Extract<PlainAction, `topic.${string}` | `comment.${string}` | `reply.${string}` | `member.${string}`>
/** The action as the log stores it. A batch can be undone. */
export type AuditAction = PlainAction | `${Undoable}.undo`

/** All audit actions of staff, named like rights. */
export const auditActions = Object.values<Manifest>(byFeature).flatMap(({ auditActions: its = [] }) => its) as readonly PlainAction[]

export const undone = '.undo'
