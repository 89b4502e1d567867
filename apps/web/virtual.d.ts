declare module 'virtual:words/*' {
  import type { Messages } from '#base/web/words.tsx'
  const messages: Messages
  export default messages
}

declare module 'virtual:addresses' {
  export const addresses: readonly string[]
  export const memberAddresses: readonly string[]
}
