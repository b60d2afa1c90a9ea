import * as m from '#messages'

/** `$5`, `$0.20` and `$0.002`, as the language of the page writes it. */
export function formatUsd(usd: number): string {
  // Below a cent, tenths of one.
  const digits = { maximumFractionDigits: usd < 0.01 ? 3 : 2, trailingZeroDisplay: 'stripIfInteger' } as const
  return usd.toLocaleString(m.language_tag(), { style: 'currency', currency: 'USD', ...digits })
}
