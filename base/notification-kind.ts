/**
 * A kind of notification: one record in the `notification-kinds.ts` of its feature. Its words are in `words` of the same feature:
 * `notificationPollEnded` is the sentence of `pollEnded`, `notificationPollEndedLabel` its name in the settings, `notificationPollEndedReason` the
 * reason.
 */
export interface NotificationKindDeclaration {
  /** It comes once, so it has no setting and no label. */
  readonly isFixed?: true
  /** The forum has a page of its own for it: only e-mail and push are chosen, and it has no reason. */
  readonly hasOwnPage?: true
  /** It says that a post was written in a thread of the recipient, so it is removed when the post moves to another thread. */
  readonly endsWhenMoved?: true
  /** The page where its recipient chose it, by the kind of the post; otherwise the settings of notifications. */
  readonly chosenAt?: (postKind: string | undefined) => string
}

export type NotificationKindDeclarations = Readonly<Record<string, NotificationKindDeclaration>>
