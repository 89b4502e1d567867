import * as audit from '#audit/server/audit.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Member } from '#base/server/route.ts'
import type { PostView } from '#notice/contract.ts'
import * as notice from '#notice/server/notice.ts'
import type { TakenDown } from '#topic/server/take-down.ts'
import { ReasonNeeded } from '#writing/contract.ts'
import * as writing from '#writing/server/writing.ts'

type Place = Pick<From, 'ip'>
type Post = Pick<PostView, 'kind' | 'id'> & { authorId: string }
type Wish = { reason: string; withholds: boolean }

/** Members do as they like with what is theirs; whoever keeps order says why. */
export function refuseWithoutReason(member: Member, authorId: string, reason: string): void {
  if (member.id !== authorId && !reason) throw ReasonNeeded()
}

type Removing = { post: Post; reason: string; takeDown: (down: TakenDown) => Promise<void> }

/** Takes down what a member wrote themselves, or, where they keep order, what somebody else did: with a reason, that its author reads and the log keeps. */
export async function removeFor(tx: Db, member: Member, { ip }: Place, { post, reason, takeDown }: Removing): Promise<void> {
  const { kind, id, authorId } = post
  if (member.id === authorId) return takeDown({ by: 'author' })
  refuseWithoutReason(member, authorId, reason)
  await takeDown({ by: 'staff', reason, removal: { byMember: member.id } })
  await audit.noteMember(tx, member.id, { ip }, { deed: `${kind}.remove`, about: `${kind} ${id}`, reason })
}

type Edited = { post: PostView; authorId: string; version: number; wish: Wish }

/** What follows where somebody else than its author has changed a post. */
export async function edited(tx: Db, member: Member, { ip }: Place, { post, authorId, version, wish }: Edited): Promise<void> {
  if (member.id === authorId) return
  const { kind, id } = post
  const { reason, withholds } = wish
  await notice.tell(tx, authorId, { kind: 'postEdited', post, reason })
  const revision = await writing.putAway(tx, kind, id, withholds)
  await audit.noteMember(
    tx,
    member.id,
    { ip },
    {
      deed: `${kind}.edit`,
      about: `${kind} ${id}`,
      reason,
      before: { version, revision },
      after: { version: version + 1 },
    },
  )
}
