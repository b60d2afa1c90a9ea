/** Names of formats of audio as people know them, by what containers call them. */
const FORMATS: readonly (readonly [code: RegExp, name: string])[] = [
  [/^(E-?AC-?3|A_EAC3)/, 'E-AC-3 (Dolby Digital Plus)'],
  [/^(AC-?3|A_AC3)/, 'AC-3 (Dolby Digital)'],
  [/^(A_)?DTS/, 'DTS'],
  [/^A?_?TRUEHD|^MLPA/, 'TrueHD'],
  [/^(A_)?ALAC/, 'ALAC'],
  [/^(SAMR|SAWB|SAWP)/, 'AMR'],
  [/^(IMA4|MS$)/, 'ADPCM'],
  [/^WMA/, 'WMA'],
  // Matroska says no more of what came from AVI.
  [/^A_MS\/ACM/, 'WMA, ADPCM, Speex'],
  [/^(A_MPEG\/L2|MP2)/, 'MP2'],
  [/^A_REAL/, 'RealAudio'],
  [/^QCLP|^SQCP/, 'QCELP'],
]

/** The name of a format that Adapt cannot read; what its container calls it where there is none. */
export function nameAudio(code: string): string {
  return FORMATS.find(([pattern]) => pattern.test(code))?.[1] ?? code
}
