// The address ranges that are not the public internet, one row each with its source. Everything else in IPv4,
// and in IPv6 everything else within 2000::/3, is public. Data only; the rules are in address-guard.ts.

/** What a range is for, and whether an operator may open it for one host. */
export type AddressRow = {
  readonly cidr: string;
  readonly name: string;
  readonly source: string;
  /** True for private networks where a company may host a mirror. Absent if it can never be opened. */
  readonly operatorMayOpen?: true;
};

export const NON_PUBLIC_IPV4: readonly AddressRow[] = [
  { cidr: '0.0.0.0/8', name: 'this network', source: 'RFC 791' },
  { cidr: '10.0.0.0/8', name: 'private use', source: 'RFC 1918', operatorMayOpen: true },
  {
    cidr: '100.64.0.0/10',
    name: 'shared address space',
    source: 'RFC 6598',
    operatorMayOpen: true,
  },
  { cidr: '127.0.0.0/8', name: 'loopback', source: 'RFC 1122' },
  { cidr: '168.63.129.16/32', name: 'host agent of a cloud', source: 'Azure WireServer' },
  { cidr: '169.254.0.0/16', name: 'link-local', source: 'RFC 3927' },
  { cidr: '172.16.0.0/12', name: 'private use', source: 'RFC 1918', operatorMayOpen: true },
  { cidr: '192.0.0.0/24', name: 'protocol assignments', source: 'RFC 6890' },
  { cidr: '192.0.2.0/24', name: 'documentation', source: 'RFC 5737' },
  { cidr: '192.31.196.0/24', name: 'AS112', source: 'RFC 7535' },
  { cidr: '192.52.193.0/24', name: 'AMT', source: 'RFC 7450' },
  { cidr: '192.88.99.0/24', name: '6to4 relay anycast', source: 'RFC 7526' },
  { cidr: '192.168.0.0/16', name: 'private use', source: 'RFC 1918', operatorMayOpen: true },
  { cidr: '192.175.48.0/24', name: 'AS112 direct delegation', source: 'RFC 7534' },
  { cidr: '198.18.0.0/15', name: 'benchmarking', source: 'RFC 2544' },
  { cidr: '198.51.100.0/24', name: 'documentation', source: 'RFC 5737' },
  { cidr: '203.0.113.0/24', name: 'documentation', source: 'RFC 5737' },
  { cidr: '224.0.0.0/4', name: 'multicast', source: 'RFC 5771' },
  { cidr: '240.0.0.0/4', name: 'reserved and broadcast', source: 'RFC 1112, RFC 919' },
];

/** The only part of IPv6 that is handed out as global unicast (RFC 4291, IANA). */
export const GLOBAL_UNICAST_IPV6 = '2000::/3';

/** Inside 2000::/3 and still not public. Tunnel forms are refused even if the address inside is public. */
export const NON_PUBLIC_IPV6: readonly AddressRow[] = [
  { cidr: '2001::/23', name: 'protocol assignments, Teredo, ORCHID', source: 'RFC 2928, RFC 4380' },
  { cidr: '2001:db8::/32', name: 'documentation', source: 'RFC 3849' },
  { cidr: '2002::/16', name: '6to4', source: 'RFC 3056' },
  { cidr: '2620:4f:8000::/48', name: 'AS112 direct delegation', source: 'RFC 7534' },
  { cidr: '3fff::/20', name: 'documentation', source: 'RFC 9637' },
];

/** Outside 2000::/3 and open to an operator: unique local addresses. */
export const OPERATOR_IPV6: readonly AddressRow[] = [
  { cidr: 'fc00::/7', name: 'unique local', source: 'RFC 4193', operatorMayOpen: true },
];

/**
 * Addresses inside openable ranges where clouds serve credentials; no permit covers them. They are those of Alibaba Cloud,
 * and of AWS and Google over IPv6.
 */
export const METADATA_ADDRESSES: readonly string[] = [
  '100.100.100.200',
  'fd00:ec2::254',
  'fd20:ce::254',
];
