import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { eraseComment, eraseReply, eraseTopic } from '#comment/server/erase.ts'
import { lockAnyComment, lockAnyReply } from '#comment/server/find.ts'
import { approveComment, approveReply } from '#comment/server/pending.ts'
import { replaceComment, replaceReply, writeCommentAnew, writeReplyAnew } from '#comment/server/rewrite.ts'
import { putBackComment, putBackReply, takeDownComment, takeDownReply } from '#comment/server/take-down.ts'
import { postOfComment, postOfReply } from '#comment/server/told.ts'
import type { PostView } from '#notice/contract.ts'
import * as topics from '#topic/server/topic.ts'
import type * as writing from '#writing/server/writing.ts'

type Kind = PostView['kind']

type Standing = Pick<topics.Topic, 'id' | 'authorId' | 'status' | 'version'>
/** `topic` is itself, or what it stands under. */
type Named = Standing & { kind: Kind; topic: topics.Topic }

/** A topic, a comment or a reply, and what is done to it whichever it is. */
export type Post = Named & {
  takeDown(down: topics.TakenDown): Promise<void>
  putBack(how?: topics.PutBack): Promise<void>
  /** Puts it on the page where it waited. */
  approve(): Promise<void>
  /** Keeps what it said as a version. False when it says what it said. */
  replace(by: Member, ready: writing.Ready, editedBy?: string): Promise<boolean>
  /** Keeps no version, for nobody has seen it yet. */
  writeAnew(by: Member, ready: writing.Ready): Promise<void>
  /** Erases for good what was taken down. */
  erase(): Promise<void>
  /** As its author is told of it. */
  told(): Promise<PostView>
}

/** A post as staff find it, deleted or not, unless its words are gone for good; others who want to change it wait. */
export function lockPost(tx: Db, kind: Kind, id: string): Promise<Post> {
  return { topic: lockTopic, comment: lockComment, reply: lockReply }[kind](tx, id)
}

async function lockTopic(tx: Db, topicId: string): Promise<Post> {
  const topic = await topics.lockAny(tx, topicId)
  return {
    ...namesOf('topic', topic, topic),
    takeDown: (down) => topics.takeDown(tx, topic, down),
    putBack: (how) => topics.putBack(tx, topic, how),
    approve: () => topics.approve(tx, topic),
    replace: (by, ready, editedBy) => topics.replace(tx, by, topic, ready, editedBy),
    writeAnew: (by, ready) => topics.writeAnew(tx, by, topicId, ready),
    erase: () => eraseTopic(tx, topic),
    told: async () => topics.postOf(topic),
  }
}

async function lockComment(tx: Db, commentId: string): Promise<Post> {
  const found = await lockAnyComment(tx, commentId)
  const { topic, comment } = found
  return {
    ...namesOf('comment', topic, comment),
    takeDown: (down) => takeDownComment(tx, found, down),
    putBack: (how) => putBackComment(tx, found, how),
    approve: () => approveComment(tx, found),
    replace: (by, ready, editedBy) => replaceComment(tx, by, found, ready, editedBy),
    writeAnew: (by, ready) => writeCommentAnew(tx, by, found, ready),
    erase: () => eraseComment(tx, topic.id, comment),
    told: () => postOfComment(tx, topic, comment),
  }
}

async function lockReply(tx: Db, replyId: string): Promise<Post> {
  const found = await lockAnyReply(tx, replyId)
  const { topic, reply } = found
  return {
    ...namesOf('reply', topic, reply),
    takeDown: (down) => takeDownReply(tx, found, down),
    putBack: (how) => putBackReply(tx, found, how),
    approve: () => approveReply(tx, found),
    replace: (by, ready, editedBy) => replaceReply(tx, by, found, ready, editedBy),
    writeAnew: (by, ready) => writeReplyAnew(tx, by, found, ready),
    erase: () => eraseReply(tx, topic.id, reply),
    told: () => postOfReply(tx, topic, reply),
  }
}

function namesOf(kind: Kind, topic: topics.Topic, { id, authorId, status, version }: Standing): Named {
  return { kind, topic, id, authorId, status, version }
}
