declare module 'virtual:words/en' {
  import type { Messages } from '#base/web/words.tsx'
  const messages: Messages
  export default messages
}

declare module 'virtual:words/zh' {
  import type { Messages } from '#base/web/words.tsx'
  const messages: Messages
  export default messages
}
