import { z } from 'zod'
import { id, nothing, write } from '#base/contract.ts'
import { NoPushAddress, PushFailed, PushOff, TooManyBrowsers } from '#notification/contract.ts'

const hour = z.int().min(0).max(23)
/** The hours from one to the other, past midnight where the second is smaller. */
const quiet = z.object({ from: hour, to: hour })

export const maxBrowsers = 10

/** The browsers with push notifications, and the quiet hours. */
export const PushView = z.object({
  /** The application server key (VAPID) that a browser needs to subscribe. */
  publicKey: z.string(),
  quiet: quiet.nullable(),
  browsers: z.array(
    z.object({
      id: z.string(),
      /** Null where the browser did not say. */
      device: z.string().nullable(),
      isThis: z.boolean(),
      madeAt: z.iso.datetime(),
      usedAt: z.iso.datetime().nullable(),
    }),
  ),
})
export type PushView = z.infer<typeof PushView>

export const subscribePush = write('/user/control/pushSubscribe', {
  summary: 'Subscribes this browser to push notifications until the member signs out in it. Replaces an earlier subscription.',
  input: z.object({ endpoint: z.string().max(1_000), p256dh: z.string().max(100), auth: z.string().max(40) }),
  output: nothing,
  errors: [NoPushAddress, TooManyBrowsers],
})

export const endPush = write('/user/control/pushUnsubscribe', {
  summary: 'Unsubscribes one of the member’s browsers, as listed by `/user/control/remindSettings`, from push notifications.',
  input: z.object({ browserId: id }),
  output: nothing,
})

export const changePush = write('/user/control/changeNotificationPush', {
  summary: 'Sets the member’s quiet hours for push notifications. Notifications within them are delivered at their end.',
  input: z.object({ /** No quiet hours if absent. */ quiet: quiet.refine(({ from, to }) => from !== to).optional() }),
  output: nothing,
})

export const tryPush = write('/user/control/pushTry', {
  summary: 'Sends a test push notification to this browser.',
  input: nothing,
  output: nothing,
  errors: [PushOff, PushFailed],
})
