set -e
case "$(ip link show dev k6t-eth0 2>/dev/null)" in *"alias virt8s:7d1059118e712770d7baadab343df701"*) exit 0;; esac
ip link del dev tap0 2>/dev/null || true
ip link del dev k6t-eth0 2>/dev/null || true
ip -batch - <<'END'
link add name k6t-eth0 mtu 1500 address 02:00:00:00:00:00 type bridge stp_state 0 forward_delay 0 mcast_snooping 0
tuntap add dev tap0 mode tap user 107 group 107
link set dev tap0 mtu 1500 master k6t-eth0
addr add 10.0.2.1/24 dev k6t-eth0
addr add fd10:0:2::1/120 dev k6t-eth0 nodad
link set dev tap0 up
link set dev k6t-eth0 up
route add 255.255.255.255/32 dev k6t-eth0
END
echo 1 > /proc/sys/net/ipv4/ip_forward
echo 1 > /proc/sys/net/ipv4/conf/k6t-eth0/route_localnet
echo 1 > /proc/sys/net/ipv6/conf/all/forwarding
echo 0 > /proc/sys/net/ipv6/conf/k6t-eth0/accept_dad
nft -f - <<'END'
table inet virt8s
delete table inet virt8s
table inet virt8s {
  chain guard {
    type filter hook prerouting priority raw;
    iifname "k6t-eth0" ip daddr 127.0.0.0/8 drop
  }
  chain inbound {
    type nat hook prerouting priority dstnat;
    iifname "eth0" meta nfproto ipv4 dnat ip to 10.0.2.2
    iifname "eth0" icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit, nd-router-advert } accept
    iifname "eth0" meta nfproto ipv6 dnat ip6 to fd10:0:2::2
  }
  chain local {
    type nat hook output priority -100;
    ip daddr { 127.0.0.1, 10.98.7.2 } dnat ip to 10.0.2.2
    ip6 daddr { fd98::2 } dnat ip6 to fd10:0:2::2
  }
  chain outbound {
    type nat hook postrouting priority srcnat;
    oifname "k6t-eth0" ip saddr 127.0.0.1 snat ip to 10.0.2.1
    oifname "eth0" ip saddr 10.0.2.2 masquerade
    oifname "eth0" ip6 saddr fd10:0:2::2 masquerade
  }
}
END
ip link set dev k6t-eth0 alias virt8s:7d1059118e712770d7baadab343df701

