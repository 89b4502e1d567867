declare module 'opencc-js/dict/*' {
  /** `from to` pairs, separated by bars. */
  const pairs: string
  export default pairs
}
