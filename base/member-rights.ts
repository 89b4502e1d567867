/**
 * A right of members. Its words are in the same feature: `mayPollAdd` in `admin/words` for staff, and `givesPollAdd` in `words` for the
 * cards of members, with the values `{place}` (`none` or `tag`) and `{tag}`.
 */
export interface MemberRight {
  /** Whether the default role gets it, once: in a new forum, and in another with the first version that has the right. */
  readonly byDefault: boolean
}

/** A right that is held for a tag and those below it, or everywhere that is not restricted. */
export interface MemberTagRight extends MemberRight {
  /**
   * `moderation`: over other members’ posts, or an exemption from review; who may post in a tag does not have it. `visibility`: it narrows
   * what is visible; visitors have no other rights, and viewers with the same ones share cached pages.
   */
  readonly kind?: 'moderation' | 'visibility'
}

/**
 * A function that members can be banned from. Its words are in the same feature: `banPoll` in `words` completes “You can no longer …”, and
 * `banPoll` in `admin/words` is its name on the form of a ban.
 */
export interface BannableFunction {
  /** Whether a spammer is banned from it, too. Writing to staff stays possible. */
  readonly isPublic: boolean
}

/** The rights of members over a feature, and the functions they can be banned from: its `member-rights.ts`. */
export interface MemberRights {
  readonly perTag?: Readonly<Record<string, MemberTagRight>>
  /** Rights without a tag. */
  readonly everywhere?: Readonly<Record<string, MemberRight>>
  readonly bannable?: Readonly<Record<string, BannableFunction>>
}
