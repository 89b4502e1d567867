import { paymentsInWechat } from './in-wechat-journey.ts'
import { lookOf } from './look-of.ts'

await paymentsInWechat([lookOf(import.meta.url)])
