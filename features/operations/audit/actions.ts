import type { Manifest } from '#base/manifest.ts'
import { manifests } from '#manifests.ts'

type Declaring = Extract<(typeof manifests)[number], Readonly<Record<'auditActions', unknown>>>
export type PlainAction = Declaring['auditActions'][number]
type Undoable = Extract<PlainAction, `topic.${string}` | `comment.${string}` | `reply.${string}` | `member.${string}`>
/** The action as the log stores it. A batch can be undone. */
export type AuditAction = PlainAction | `${Undoable}.undo`

/** All audit actions of staff, named like rights. */
export const auditActions = (manifests as readonly Manifest[]).flatMap(({ auditActions: its = [] }) => its) as readonly PlainAction[]

export const undone = '.undo'
