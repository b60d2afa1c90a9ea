/** Says how far a bench is, beside its result, which alone goes to the standard output. */
export function tell(what: string): void {
  console.error(`· ${what}`)
}
