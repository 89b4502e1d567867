import type { z } from 'zod'

/**
 * A setting of the site: one record in the `settings.ts` of its feature. Its words are in `admin/words` of the same feature: NAME, NAMEHelp,
 * and one for each option.
 */
export interface SettingDeclaration {
  /** The group of the settings page that shows it. */
  readonly group: string
  readonly schema: z.ZodType
  readonly default: unknown
  /** A password or key: stored encrypted, write-only for staff, returned by no read. An empty one is not set. */
  readonly sealed?: true
  /** Write-only for staff, but not sealed. */
  readonly writeOnly?: true
  /** It opens or closes the forum, chooses its storage or moves money: a change requires a recent login, as for a sealed one. */
  readonly guarded?: true
  /** A switch: the page shows the setting only while it is on. */
  readonly shownWith?: string
  /** The maximum of the same range; where that is 0, the function is off. */
  readonly notAbove?: string
  /** Channels of verification codes that its options work by. */
  readonly channels?: readonly ('email' | 'sms')[]
  /** The start of its options’ words, where it is not the name of the setting. */
  readonly optionWords?: string
  /** Its names in other forum software, in both languages: search terms of the palette, never shown. */
  readonly aliases?: string
}

export type SettingDeclarations = Readonly<Record<string, SettingDeclaration>>
