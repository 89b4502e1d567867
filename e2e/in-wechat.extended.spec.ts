import { paymentsInWechat } from './in-wechat-journey.ts'
import { otherLooks } from './look-of.ts'

await paymentsInWechat(otherLooks(import.meta.url).filter(({ width }) => width === 'phone'))
